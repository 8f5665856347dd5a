import { showName } from './idn.ts';

/** A name that a stranger chose: shown as text, in its own direction, in one script or in none. */
export function DnsName({ name }: { name: string }) {
  const shown = showName(name);
  return (
    <bdi className="foreign-text" dir="ltr" title={shown === name ? undefined : name}>
      {shown}
    </bdi>
  );
}
