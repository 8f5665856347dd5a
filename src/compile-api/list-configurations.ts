import { isInlineRules, isUrl } from '../compiler/sources/read-source.ts';
import type { DomainError } from '../domain/domain-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { checkJob, type JobLimits } from './read-request.ts';

const MAX_LENGTH = 64 * 1024;

const wrong = (field: string, message: string): Result<never, DomainError> =>
  err({ kind: 'invalid', errors: [{ field, kind: 'wrong value', message }] });

/** Validates configurations of custom lists with the limits of the compile service. */
export const listConfigurations =
  (limits: JobLimits) =>
  (configuration: object, under: string): Result<object, DomainError> => {
    if (JSON.stringify(configuration).length > MAX_LENGTH)
      return wrong(under, `must have at most ${MAX_LENGTH} characters`);
    const job = checkJob({ configuration }, limits);
    if (!job.ok) {
      const { details = [], error } = job.error;
      if (details.length === 0) return wrong(under, error);
      const errors = details.map(({ path, message }) => ({
        field: path === '' ? under : `${under}.${path.replace(/^configuration\.?/, '')}`,
        kind: 'wrong value' as const,
        message,
      }));
      return err({ kind: 'invalid', errors });
    }
    const { sources } = job.value.configuration;
    const file = sources.findIndex(
      ({ source }) => !isUrl(source) && !isInlineRules(source) && /^(\/|\.|file:)/i.test(source),
    );
    if (file >= 0) return wrong(`${under}.sources[${file}].source`, 'must be an address, or rules');
    return ok(job.value.configuration);
  };
