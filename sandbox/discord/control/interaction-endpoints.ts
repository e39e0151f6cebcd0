import { endpoint } from '../../control/endpoint.ts';
import { InteractionOrder } from './orders.ts';

const RETURNS = `\`outcome\` is the kind of the first answer: \`message\` for a new message, \`update\` for an edit of the message with the component, \`choices\` for autocomplete, \`modal\`,
or \`failed\` if the bot did not answer within three seconds. \`deferred\` is true if the first answer was only "is thinking" or a silent acknowledgement. \`answeredInMs\` is the time until the first answer.
\`message\` is the message after all edits, \`ephemeral\` is true if only the member sees it, and \`followUps\` are the messages after it.`;

export const sendInteraction = endpoint({
  method: 'POST',
  path: '/discord/interactions',
  summary: 'A member uses the bot: a command, a button, a menu or a modal.',
  details:
    'The sandbox waits for the answer of the bot. Like Discord, it refuses what the member cannot do: unknown commands, missing permissions, disabled buttons.',
  answer: RETURNS.replaceAll('\n', ' '),
  body: InteractionOrder,
  examples: [
    { title: 'Type a command', body: { user: 'ada', channel: 'general', command: 'top streams' }, save: { top: 'message.id' } },
    {
      title: 'Type a part of an option',
      body: { user: 'ada', channel: 'general', command: 'live', options: { streamer: 'gr' }, autocomplete: true },
      shows: ['id', 'outcome', 'choices'],
    },
    {
      title: 'Click a button',
      shows: ['id', 'outcome', 'ephemeral', 'message.id', 'message.content'],
      body: { user: 'ada', message: '$top', click: 'Next' },
    },
    {
      title: 'Type a command with an option',
      shows: ['id', 'outcome', 'ephemeral', 'message.id', 'message.content'],
      body: { user: 'ada', channel: 'general', command: 'post now', options: { text: 'Chess tonight' } },
      save: { preview: 'message.id' },
    },
    {
      title: 'Choose in a select menu. This menu exists if Fanfare has several social accounts.',
      shows: ['id', 'outcome', 'ephemeral', 'message.id', 'message.content'],
      body: { user: 'ada', message: '$preview', customId: 'post:accounts:1', values: ['bluesky', 'mastodon'] },
    },
    {
      title: 'Open a modal',
      shows: ['id', 'outcome', 'modal'],
      body: { user: 'ada', message: '$preview', click: 'Edit' },
      save: { interaction: 'id' },
    },
    {
      title: 'Submit the modal',
      shows: ['id', 'outcome', 'ephemeral', 'message.id', 'message.content'],
      body: { user: 'ada', modal: '$interaction', fields: { text: 'Chess at eight' } },
    },
    {
      title: 'Choose an entry in the menu of a message',
      shows: ['id', 'outcome', 'ephemeral', 'message.id', 'message.content'],
      body: { user: 'grace', message: '$top', menu: 'Why this message?' },
    },
    {
      title: 'Forge a click on a button that does not exist',
      shows: ['id', 'outcome', 'ephemeral', 'message.id', 'message.content'],
      body: { user: 'grace', message: '$top', customId: 'delete', forged: true },
    },
    {
      title: 'Submit a modal that the bot did not open',
      shows: ['id', 'outcome', 'ephemeral', 'message.id', 'message.content'],
      body: { user: 'grace', message: '$top', forgedForm: 'post:text:1', fields: { text: 'Hi' } },
    },
  ],
  mistakes: [
    { body: { user: 'ada', channel: 'general', command: 'tpo streams' } },
    { body: { user: 'ada', channel: 'general', command: 'live' } },
    { body: { user: 'ada', channel: 'general', command: 'live', options: { streamr: 'grace' } } },
    { body: { user: 'linus', channel: 'general', command: 'post now', options: { text: 'Hi' } } },
    { body: { user: 'ada', message: '$top', click: 'Nxt' } },
    { body: { user: 'ada', message: '$top', clik: 'Next' } },
    { body: { user: 'ada', message: '$preview', customId: 'post:accounts:1', values: ['blusky'] } },
    { body: { user: 'grace', message: '$preview', click: 'Edit' } },
    { body: { user: 'ada', message: '$top', menu: 'Why' } },
  ],
});

export const getInteraction = endpoint({
  method: 'GET',
  path: '/discord/interactions/:interaction',
  summary: 'Returns an interaction of the last 15 minutes with all answers so far.',
  details: 'Use it if the bot needs longer than `waitMs`.',
  answer: 'The same as the answer of [`POST /control/discord/interactions`](#post-controldiscordinteractions).',
  examples: [
    {
      title: 'Read the interaction again',
      shows: ['id', 'outcome', 'modal.customId', 'followUps'],
      path: '/discord/interactions/$interaction',
    },
  ],
  mistakes: [{ path: '/discord/interactions/1' }],
});
