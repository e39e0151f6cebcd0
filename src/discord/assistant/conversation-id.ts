const PREFIX = 'discord';
/** Where somebody asked who is in no server of ours. */
const NOWHERE = 'direct';

/** Who begins a conversation, and with what. */
export interface ConversationStart {
  readonly person: string;
  readonly server: string | undefined;
  readonly channel: string;
  readonly question: string;
}

/** The id of a conversation that somebody begins. */
export function conversationBegunBy({ person, server = NOWHERE, channel, question }: ConversationStart): string {
  return [PREFIX, server, channel, person, question].join(':');
}

/** Who began a conversation; undefined where it was begun elsewhere. */
export function beginnerOf(conversation: string): string | undefined {
  const [prefix, , , person] = conversation.split(':');
  return prefix === PREFIX ? person : undefined;
}

/** Whether a conversation may be known in this server: it was begun there, or outside of Discord. */
export function isKnownIn(server: string | undefined, conversation: string): boolean {
  const [prefix, begunIn] = conversation.split(':');
  return prefix !== PREFIX || begunIn === (server ?? NOWHERE);
}
