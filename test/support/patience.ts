// How long a test may take before it counts as hanging. It only guards against waiting forever: a test of speed
// measures that itself. A slow, busy machine needs many times what a quiet one does.
import { setDefaultTimeout } from "bun:test";

setDefaultTimeout(300_000);
