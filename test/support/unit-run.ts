// Loaded before the unit tests, which must be quick. `npm test` runs every property in full.
import { flushCompileCache } from 'node:module';
import { before } from 'node:test';
import { installGlobalPlugin, PreconditionFailure } from 'fast-check';

const MAX_PROPERTY_MS = 40;

// The limit counts from the first run: a busy machine shortens a property, but never skips it.
installGlobalPlugin(() => {
  let end = Infinity;
  return {
    decorateRun: (run) => (value) => {
      if (performance.now() > end) return new PreconditionFailure(true);
      if (end === Infinity) end = performance.now() + MAX_PROPERTY_MS;
      return run(value);
    },
  };
});

// At the end of the process it would be too late for most of the others.
before(() => flushCompileCache());
