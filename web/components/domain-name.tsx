import { displayDomain } from './idn.ts';

/** Domain name as untrusted text: direction isolated, IDN decoded only if it is safe. */
export function DomainName({ name }: { name: string }) {
  const displayed = displayDomain(name);
  return (
    <bdi className="untrusted-text" dir="ltr" title={displayed === name ? undefined : name}>
      {displayed}
    </bdi>
  );
}
