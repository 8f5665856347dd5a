import {
  domainName,
  idOfAtMost,
  listOf,
  type Members,
  oneOf,
  optional,
  required,
  text,
  textMatching,
} from './check-entries.ts';
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

/** An entry of the operator. */
export type WebServiceEntry = {
  readonly id: string;
  readonly name: string;
  readonly domains: readonly string[];
  readonly group?: ServiceGroup;
  readonly icon?: string;
};

const MAX_ID_LENGTH = 64;

export const webServiceMembers: Members = {
  id: required(idOfAtMost(MAX_ID_LENGTH)),
  name: required(text),
  domains: required(listOf(domainName, 1)),
  group: optional(oneOf(serviceGroups)),
  // A path instead of an SVG: clients embed the icon in their page, so it must not contain anything but a path.
  icon: optional(textMatching(/^[Mm][\d\s,.eE+MmZzLlHhVvCcSsQqTtAa-]*$/, 'the path of a drawing 24 wide and 24 high')),
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
