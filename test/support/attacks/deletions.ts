import { openAccounts } from '../../../src/app/open-accounts.ts';

type Target = {
  /** URL of the management API, and an account that clears its log. */
  readonly url: string;
  readonly authorization: string;
  /** The folder or database of the service, in which accounts are created and deleted. */
  readonly settings: { readonly data: string; readonly database: string | undefined };
};

const CLEARING = 4;

/** One tenant clears its log as fast as it can, while accounts are created and deleted. */
export async function startDeletions({ url, authorization, settings }: Target) {
  const accounts = await openAccounts(settings, Date.now);
  const done = { cleared: 0, deleted: 0 };
  let isOver = false;
  const clear = async (): Promise<void> => {
    while (!isOver) {
      const response = await fetch(`${url}/oapi/v1/query_log`, { method: 'DELETE', headers: { authorization } });
      await response.arrayBuffer();
      if (response.ok) done.cleared += 1;
    }
  };
  const createAndDelete = async (): Promise<void> => {
    while (!isOver) {
      const email = `short-lived-${done.deleted}@example.org`;
      await accounts.create({ email, password: 'correct horse battery' });
      await accounts.remove(email);
      done.deleted += 1;
    }
  };
  const running = Promise.all([createAndDelete(), ...Array.from({ length: CLEARING }, clear)]);
  return {
    done,
    stop: async (): Promise<void> => {
      isOver = true;
      try {
        await running;
      } finally {
        await accounts.close();
      }
    },
  };
}
