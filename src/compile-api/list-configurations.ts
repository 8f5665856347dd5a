import { isUrl } from '../compiler/sources/read-source.ts';
import type { DomainError } from '../domain/domain-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { checkOrder, type OrderLimits } from './check-job.ts';

const MAX_LENGTH = 64 * 1024;

const wrong = (field: string, message: string): Result<never, DomainError> =>
  err({ kind: 'invalid', errors: [{ field, kind: 'wrong value', message }] });

/** Checks configurations that accounts bring, by the bounds of the compile service. */
export const listConfigurations =
  (limits: OrderLimits) =>
  (configuration: object, under: string): Result<object, DomainError> => {
    if (JSON.stringify(configuration).length > MAX_LENGTH)
      return wrong(under, `must have at most ${MAX_LENGTH} characters`);
    const order = checkOrder({ configuration }, limits);
    if (!order.ok) {
      const { details = [], error } = order.error;
      if (details.length === 0) return wrong(under, error);
      const errors = details.map(({ path, message }) => ({
        field: path === '' ? under : `${under}.${path.replace(/^configuration\.?/, '')}`,
        kind: 'wrong value' as const,
        message,
      }));
      return err({ kind: 'invalid', errors });
    }
    const { sources } = order.value.configuration;
    const file = sources.findIndex(
      ({ source }) => !isUrl(source) && !source.includes('\n') && /^(\/|\.|file:)/i.test(source),
    );
    if (file >= 0) return wrong(`${under}.sources[${file}].source`, 'must be an address, or rules');
    return ok(order.value.configuration);
  };
