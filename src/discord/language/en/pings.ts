/** The roles that members choose for themselves. */
export const pings = {
  command: { name: 'pings', description: 'Choose which announcements ping you' },
  choose: { name: 'choose', description: 'Choose your pings' },
  post: { name: 'post', description: 'Choose the roles that members can choose, and post the menu in this channel' },
  title: '### Your pings',
  about: 'Choose the roles with which announcements ping you. You can change them at any time.',
  none: 'This server offers no pings yet. Members who can set up the bot offer them with `/pings post`.',
  pick: 'No pings',
  saved: '✅ Your pings are changed.',
  offer: '### Which roles can members choose?',
  offerPick: 'No roles',
  unsafe: (roles: string) =>
    `⚠️ Not offered: ${roles}. A role that members choose must be below my role, without permissions of moderators.`,
  menu: '### 🔔 Pings\nChoose which announcements ping you.',
  buttons: { choose: 'Choose my pings', post: 'Post the menu here' },
  posted: '✅ The menu is in this channel.',
};
