// How long a test may take before it counts as hanging. It guards against waiting for ever and measures nothing: what must
// be quick says so itself. A slow machine that does much besides needs many times what a quiet one does.
import { setDefaultTimeout } from "bun:test";

setDefaultTimeout(300_000);
