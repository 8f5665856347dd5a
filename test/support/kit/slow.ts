/** Whether `npm run test:unit` runs: it skips slow tests and PostgreSQL, and shortens property tests. */
export const isUnitRun = process.env['WEIR_UNIT_TESTS'] === 'true';

/** The options of a test that takes longer than half a second. */
export const slow = { skip: isUnitRun && 'slow: npm test runs it' };
