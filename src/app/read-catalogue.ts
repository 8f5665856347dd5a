import { defaultPlans, readPlans } from '../domain/account-limits.ts';
import { openCatalogue } from '../domain/catalogue/catalogue.ts';
import { ok } from '../kit/result.ts';
import { readDataFile } from '../platform/read-data-file.ts';
import type { Settings } from '../settings/settings.ts';

/** The operator's catalogue of lists and services, and the plans. */
export const readCatalogue = async (settings: Pick<Settings, 'catalogue' | 'plans'>) => ({
  catalogue: await readDataFile(settings.catalogue, (content) => openCatalogue((content ?? {}) as object)),
  plans: await readDataFile(settings.plans, (content) =>
    content === undefined ? ok(defaultPlans) : readPlans(content),
  ),
});
