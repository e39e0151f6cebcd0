import type { MemberStateKind } from '#src/clients/chat/chat.ts';
import type { DiscordServer } from '#src/config/discord-settings.ts';
import type { PeopleSource } from '#src/rules/lists.ts';
import { operationsOf, type Rule } from '#src/rules/rule.ts';
import type { AskedStates } from './keep-member-states.ts';

interface AskedStatesOptions {
  /** The running rules. */
  readonly rules: () => readonly Rule[];
  /** The sources of the lists. */
  readonly sources: () => Promise<readonly PeopleSource[]>;
  readonly servers: readonly DiscordServer[];
}

/** The states of members that the rules and the lists read. */
export async function askedStates({ rules, sources, servers }: AskedStatesOptions): Promise<AskedStates> {
  const ofRules = rules()
    .flatMap(operationsOf)
    .flatMap(({ do: verb, with: params, as }) => as.map((account) => ({ verb, params, account })));
  const all = [...ofRules, ...(await sources())].flatMap(({ verb, params, account }) => {
    const kind = kindOf(verb, params);
    const server = kind && servers.find((one) => one.account === account)?.id;
    return kind && server !== undefined ? [{ key: `${server} ${kind}`, kind }] : [];
  });
  const keys = new Set(all.map(({ key }) => key));
  return { has: (server, kind) => keys.has(`${server} ${kind}`), kinds: new Set(all.map(({ kind }) => kind)) };
}

function kindOf(verb: string, params: object): MemberStateKind | undefined {
  if (verb === 'discord.getVoiceMembers') return 'voice';
  return verb === 'discord.getMembers' && 'status' in params ? 'presence' : undefined;
}
