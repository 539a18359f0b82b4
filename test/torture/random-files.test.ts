// Two thousand files at random; a few are in the short run.
import { testFiles } from "../office/files-at-random.ts";

testFiles(2_000);
