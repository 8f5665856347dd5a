import Type, { type Static } from 'typebox';
import { domainName, idOfAtMost, oneOf, text, textMatching } from './check-entries.ts';
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

const MAX_ID_LENGTH = 64;

export const webServiceSchema = Type.Object({
  id: idOfAtMost(MAX_ID_LENGTH),
  name: text,
  domains: Type.Array(domainName, { minItems: 1 }),
  group: Type.Optional(oneOf(serviceGroups)),
  // A path instead of an SVG: clients embed the icon in their page, so it must not contain anything but a path.
  icon: Type.Optional(
    textMatching(/^[Mm][\d\s,.eE+MmZzLlHhVvCcSsQqTtAa-]*$/, 'the path of a drawing 24 wide and 24 high'),
  ),
});

/** An entry of the operator. */
export type WebServiceEntry = Readonly<Static<typeof webServiceSchema>>;

export function webServiceFrom({ id, name, domains, group = 'software', icon }: WebServiceEntry): WebService {
  return { id, name, group, domains, iconSvg: icon === undefined ? monogram(name, id) : pathIcon(icon) };
}

/** The built-in web services. */
export const webServices = (): readonly WebService[] =>
  serviceGroups.flatMap((group) =>
    Object.entries(serviceRows[group]).map(([id, [name, domains]]) => {
      const icon = serviceIcons[id];
      return webServiceFrom({ id, name, group, domains: domains.split(' '), ...(icon === undefined ? {} : { icon }) });
    }),
  );
