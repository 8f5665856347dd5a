// Loaded before the unit tests, which must be quick. `npm test` runs every property in full.
import fc from 'fast-check';

// Long enough for the first run on a busy machine: a property without any run fails.
const MAX_PROPERTY_MS = 150;

fc.configureGlobal({ interruptAfterTimeLimit: MAX_PROPERTY_MS });
