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
  /** Blocking the service blocks these and everything below them. */
  readonly domains: readonly string[];
  readonly iconSvg: string;
};

/** A service as an operator writes it down. */
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
  // A path and not a picture: clients put the picture into their page as it is, so nothing in it may be more than a drawing.
  icon: optional(textMatching(/^[Mm][\d\s,.eE+MmZzLlHhVvCcSsQqTtAa-]*$/, 'the path of a drawing 24 wide and 24 high')),
};

export function webServiceFrom({ id, name, domains, group = 'software', icon }: WebServiceEntry): WebService {
  return { id, name, group, domains, iconSvg: icon === undefined ? monogram(name, id) : pathIcon(icon) };
}

/** The services that Weir knows by itself. */
export const webServices = (): readonly WebService[] =>
  serviceGroups.flatMap((group) =>
    Object.entries(serviceRows[group]).map(([id, [name, domains]]) => {
      const icon = serviceIcons[id];
      return webServiceFrom({ id, name, group, domains: domains.split(' '), ...(icon === undefined ? {} : { icon }) });
    }),
  );
