/** The ports on which this program listens. Downloads must not connect to them. Each listener is added when it is opened. */
export function listeningPorts() {
  const ports = new Set<number>();
  return {
    add: (port: number): void => void ports.add(port),
    all: (): readonly number[] => [...ports],
  };
}

export type ListeningPorts = ReturnType<typeof listeningPorts>;
