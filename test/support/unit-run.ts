// Loaded before the unit tests: they must be quick, and `npm test` runs all of them in full.
import fc from 'fast-check';

const MAX_PROPERTY_MS = 300;

fc.configureGlobal({ interruptAfterTimeLimit: MAX_PROPERTY_MS });
process.env['WEIR_TEST_POSTGRES'] = 'off';
