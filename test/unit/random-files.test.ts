// A few of the files at random; two thousand are in the long run.
import { testFiles } from "../office/files-at-random.ts";

testFiles(200);
