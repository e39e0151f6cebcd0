import { endpoint } from '../../control/endpoint.ts';
import { HistoryQuery, MemberQuery } from './orders.ts';

export const getMemberView = endpoint({
  method: 'GET',
  path: '/discord/member',
  summary: 'Returns what a member sees in a server: its channels, and the commands that the member may use in a channel.',
  answer:
    '`commands` lists commands and subcommands with their options, and `menus` the entries in the menu of a message, all in the language of the member. Commands that ' +
    'the member may not use are absent, as in Discord.',
  query: MemberQuery,
  examples: [
    {
      title: 'What Linus sees in #general',
      path: '/discord/member?user=linus&channel=general',
      shows: ['guild', 'guilds', 'member', 'channel', 'menus'],
    },
  ],
  mistakes: [{ path: '/discord/member?user=linuss' }, { path: '/discord/member?user=linus&channel=moderators' }],
});

export const listHistory = endpoint({
  method: 'GET',
  path: '/discord/history',
  summary: 'Lists the last messages of a channel as a member sees them: without deleted messages and ephemeral messages of others.',
  answer: '`components` have the types of Discord. `loading` is true while an answer is only "is thinking".',
  query: HistoryQuery,
  examples: [{ title: 'The last message that Ada sees in #general', path: '/discord/history?user=ada&channel=general&limit=1' }],
  mistakes: [{ path: '/discord/history?user=linus&channel=moderators' }, { path: '/discord/history?user=ada&channel=general&limit=0' }],
});
