// Loaded before the unit tests, which must be quick. `npm test` runs every property in full.
import fc from 'fast-check';

const MAX_PROPERTY_MS = 100;

fc.configureGlobal({ interruptAfterTimeLimit: MAX_PROPERTY_MS });
