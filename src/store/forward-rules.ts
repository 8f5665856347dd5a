import type { ForwardRule } from '../domain/forward-rules.ts';
import type { AccountId, ProfileId } from '../domain/ids.ts';
import type { UpstreamStrategy } from '../domain/upstream-strategy.ts';
import type { ForwardRuleRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

export const forwardRuleReads = (session: Session) => ({
  /** Sorted by domain. */
  async list(account: AccountId): Promise<readonly ForwardRule[]> {
    const query = session.db.selectFrom('forward_rules').selectAll().where('account', '=', account);
    return (await session.ask(account, query.orderBy('domain').orderBy('id'))).map(toForwardRule);
  },
});

export const forwardRuleWrites = (session: Session) => ({
  async add(rule: ForwardRule): Promise<void> {
    await session.change(rule.account, session.db.insertInto('forward_rules').values(toRow(rule)));
  },

  async update(rule: ForwardRule): Promise<boolean> {
    const { id, account, ...columns } = toRow(rule);
    const update = session.db.updateTable('forward_rules').set(columns).where('account', '=', account);
    return (await session.change(rule.account, update.where('id', '=', id))) > 0;
  },

  async remove(account: AccountId, id: string): Promise<boolean> {
    const remove = session.db.deleteFrom('forward_rules').where('account', '=', account).where('id', '=', id);
    return (await session.change(account, remove)) > 0;
  },
});

const toRow = ({ id, account, profile, domain, upstreams, strategy }: ForwardRule): ForwardRuleRow => ({
  id,
  account,
  profile: profile ?? null,
  domain,
  upstreams: JSON.stringify(upstreams),
  strategy: strategy ?? null,
});

export const toForwardRule = (row: ForwardRuleRow): ForwardRule => ({
  id: row.id,
  account: row.account as AccountId,
  profile: (row.profile ?? undefined) as ProfileId | undefined,
  domain: row.domain,
  upstreams: JSON.parse(row.upstreams) as string[],
  strategy: (row.strategy ?? undefined) as UpstreamStrategy | undefined,
});
