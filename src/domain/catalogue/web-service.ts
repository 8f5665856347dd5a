import type { WebServiceEntry } from './catalogue-entries.ts';
import { monogram, pathIcon } from './service-icon.ts';
import { serviceIcons } from './service-icons.ts';
import { type ServiceGroup, serviceGroups, serviceRows } from './web-services.ts';

export type WebService = {
  readonly id: string;
  readonly name: string;
  readonly group: ServiceGroup;
  /** Blocked with all subdomains. */
  readonly domains: readonly string[];
  readonly iconSvg: string;
};

export function webServiceFrom({ id, name, domains, group = 'software', icon }: WebServiceEntry): WebService {
  return { id, name, group, domains, iconSvg: icon === undefined ? monogram(name, id) : pathIcon(icon) };
}

/** The domains of the built-in web services. */
export const webServiceDomains = (): readonly string[] =>
  serviceGroups.flatMap((group) => Object.values(serviceRows[group]).flatMap(([, domains]) => domains.split(' ')));

/** The built-in web services. */
export const webServices = (): readonly WebService[] =>
  serviceGroups.flatMap((group) =>
    Object.entries(serviceRows[group]).map(([id, [name, domains]]) => {
      const icon = serviceIcons[id];
      return webServiceFrom({ id, name, group, domains: domains.split(' '), ...(icon === undefined ? {} : { icon }) });
    }),
  );
