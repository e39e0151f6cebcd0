/** The assistant. */
export const assistant = {
  ask: { name: 'ask', description: 'Ask the assistant; it remembers what you asked here' },
  text: { name: 'text', description: 'Your question' },
  hidden: { name: 'private', description: 'Only you see the answer' },
  newConversation: { name: 'new', description: 'Start a new conversation' },
  conversation: { name: 'conversation', description: 'Your conversation with the assistant here' },
  history: { name: 'history', description: 'Show the conversation; only you see it' },
  forget: { name: 'forget', description: 'Make the assistant forget the conversation' },
  all: { name: 'all', description: 'All conversations that you started in this server' },
  hiddenOne: { name: 'private', description: 'Your private conversation' },

  lookingAt: {
    streaming: 'Looking at the streams …',
    social: 'Looking at posts …',
    draft: 'Writing a draft …',
    other: 'Looking something up …',
  },
  brokenOff: (why: string) => `The answer ends here. ${why}`,
  restIsInHistory: 'The answer is too long for Discord. `/conversation history` shows all of it.',
  nothingAsked: 'Enter a question.',
  noAnswer: 'I have no answer to that.',
  draftBelow: 'Here is a draft. Nothing happens until a member approves it.',
  interrupted: 'The bot was restarted during the answer. Ask again.',

  tooMuchByYou: (again: string | undefined) =>
    again === undefined ? 'No one can ask the assistant at the moment.' : `You have reached your limit. You can ask again ${again}.`,
  tooMuchHere: (again: string | undefined) =>
    again === undefined
      ? 'No one can ask the assistant here at the moment.'
      : `This server has reached its limit. You can ask again ${again}.`,
  tooMuchForAll: (again: string | undefined) =>
    again === undefined
      ? 'No one can ask the assistant at the moment.'
      : `The assistant has reached its limit for all servers. You can ask again ${again}.`,
  waitedTooLong: 'The earlier answers took too long. Ask again.',
  tooLong: 'This conversation is too long. Start a new one: `/ask` with `new: True`.',

  goOn: 'Continue in a thread',
  threadOf: 'Conversation',
  threadOpened: (thread: string) => `Continue in ${thread}.`,
  threadIsThere: (thread: string) => `The thread already exists: ${thread}`,
  threadBegins: 'Messages here continue from the answer above. You do not have to click “Reply”.',
  threadBeginsWithMentions: 'Mention me in a message here to continue from the answer above.',
  threadNeedsPermission: 'You do not have the permission “Create Public Threads” in this channel. A moderator of the server can allow it.',
  threadForbidden: 'The bot cannot create threads here. It needs “Create Public Threads” and “Send Messages in Threads”.',

  noHistory: 'The assistant does not remember any question from you here.',
  asked: 'Asked',
  answered: 'Answered',
  wholeHistory: 'The file has the whole conversation.',
  forgotten:
    'The conversation and its open drafts are deleted. Your next question here starts a new one. The messages in the channel stay.',
  forgottenAll: (count: number) =>
    `${count === 1 ? 'Your conversation' : `Your ${count} conversations`} in this server and the open drafts are deleted. The messages in the channels stay, and so do questions in conversations that others started.`,
  noConversations: 'The assistant does not remember any conversation of yours in this server.',
  forgottenMeanwhile: 'The conversation was deleted. Ask again to start a new one.',
  leftOnly: (owner: string) =>
    `You left the conversation. Your next question starts a new one. Only ${owner}, who started it, and operators can make the assistant forget it.`,
  notYours: (owner: string) =>
    `Nothing was deleted, because everyone here shares the conversation. Only ${owner}, who started it, and operators can make the assistant forget it. \`/ask\` with \`new: True\` starts a new one for everyone.`,

  draft: {
    post: 'A post, not sent yet',
    rule: (id: string) => `A rule, not running yet: ${id}`,
    decidedPost: 'A post',
    decidedRule: (id: string) => `A rule: ${id}`,
    by: (person: string) => `Requested by ${person}`,
    length: (length: string, most: string | undefined) =>
      `${most === undefined ? length : `${length} of ${most}`} ${(most ?? length) === '1' ? 'character' : 'characters'}`,
    thread: (posts: number) => `a thread of ${posts} posts`,
    empty: 'empty',
    tooLong: 'too long',
    schedule: 'It runs',
    watches: 'It watches',
    does: 'Steps',
    first: 'For a new item',
    during: 'While it lasts',
    after: 'When it is over',
    cut: 'The file has the rest.',
    tests: 'The tests of the rule pass.',
    approve: 'Approve',
    drop: 'Reject',
    asFile: 'Show as a file',
    refresh: 'Refresh',
    approved: (person: string) => `Approved by ${person}`,
    dropped: (person: string) => `Rejected by ${person}`,
    runs: (file: string) => `The rule is on: ${file}`,
    sending: 'It is being sent.',
    sent: (account: string, link: string) => `${account}: ${link}`,
    notSent: (account: string, why: string) => `${account}: not sent. ${why}`,
    waits: (account: string) => `${account}: being sent`,
    alreadyApproved: (person: string) => `${person} already approved it.`,
    alreadyDropped: (person: string) => `${person} already rejected it.`,
    gone: 'This draft was deleted, because it was too old or its conversation was deleted. Ask for it again.',
    needsPost: 'Only members who can post can approve or reject this.',
    needsOperate: 'Only operators can approve or reject this.',
    needsBoth: 'This rule posts with accounts of the bot. Only operators who can also post can approve it.',
    refused: (why: string) => `This draft cannot be approved: ${why}`,
    reasons: {
      check: (lines: string) => `The rule cannot run with the current accounts and rules. ${lines}`,
      tests: (lines: string) => `The tests of the rule fail. ${lines}`,
      switched: 'The rule sets “enabled”. Only operators decide whether a rule is on.',
      files: 'The rule attaches files from the machine of the bot.',
      restricted: 'The rule reads posts that not everyone can read (`include`, `audience`). An operator has to write such a rule.',
      reserved: {
        roles: 'The rule changes roles of members. An operator has to write such a rule.',
        deletes: 'The rule deletes something. An operator has to write such a rule.',
        everyone: 'The rule can ping everyone. An operator has to write such a rule.',
      },
      withheld: (verb: string) => `The rule reads ${verb}, which is not visible to everyone. An operator has to write such a rule.`,
      taken: (rule: string) => `The rule ${rule} already exists. Ask for a draft with another id.`,
      unwritten: (file: string) => `${file} cannot be written to the rules folder. The log of the bot has the reason.`,
      noAccount: 'There is no account that can post.',
      empty: (account: string) => `${account}: The post is empty.`,
      tooLong: (account: string) => `${account}: The post is too long, even for a thread.`,
      unfit: (account: string, why: string) => `${account}: The platform would reject the post (${why}).`,
    },
  },
};
