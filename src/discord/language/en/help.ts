/** The list of commands. */
export const help = {
  command: { name: 'help', description: 'Show the commands that you can use' },
  title: '## Commands of Fanfare',
  page: 'Open the page',
  announce: { title: 'Announcements', about: 'Choose the channel, and add streamers.' },
  pings: { title: 'Pings', about: 'Choose the roles with which announcements ping you.' },
  search: { title: 'Search', about: 'Look up streams, videos, clips and posts.' },
  ask: { title: 'Assistant', about: 'Ask a question, or let the assistant draft a post or a rule.' },
  post: { title: 'Posts', about: 'Post to social accounts, now or later.' },
  operate: { title: 'Operate', about: 'Pause automations, and see what was sent, what failed and why.' },
};
