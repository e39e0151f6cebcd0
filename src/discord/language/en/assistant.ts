/** What has to do with the assistant. */
export const assistant = {
  ask: { name: 'ask', description: 'Ask the assistant; it remembers what you asked here' },
  text: { name: 'text', description: 'Your question' },
  hidden: { name: 'private', description: 'Only you see the answer' },
  anew: { name: 'new', description: 'Begin a new conversation' },
  conversation: { name: 'conversation', description: 'What you and the assistant said to each other here' },
  history: { name: 'history', description: 'Show the conversation, to you alone' },
  forget: { name: 'forget', description: 'Have the assistant forget the conversation' },
  hiddenOne: { name: 'private', description: 'The one that only you see' },

  lookingAt: {
    streaming: 'Looking at the streams …',
    social: 'Looking at posts …',
    draft: 'Writing a draft …',
    other: 'Looking something up …',
  },
  brokenOff: (why: string) => `The answer breaks off here. ${why}`,
  restIsInHistory: 'The answer is longer than fits here: `/conversation history` has all of it.',
  nothingAsked: 'Write what you want to know.',
  noAnswer: 'I have no answer to that.',
  draftBelow: 'Here is a draft. Nothing happens before somebody approves it.',
  interrupted: 'The bot was restarted while it answered. Ask again.',

  tooMuchByYou: (again: string | undefined) =>
    again === undefined
      ? 'Nobody may ask the assistant at the moment.'
      : `That was your last question for now. You can ask again ${again}.`,
  tooMuchHere: (again: string | undefined) =>
    again === undefined
      ? 'Nobody may ask the assistant here at the moment.'
      : `So much was asked in this server that the assistant rests. It answers again ${again}.`,
  tooLong: 'This conversation has become too long to go on. Begin a new one: `/ask` with `new: True`.',

  goOn: 'Go on in a thread',
  threadOf: 'Conversation',
  threadOpened: (thread: string) => `Go on in ${thread}.`,
  threadIsThere: (thread: string) => `There is a thread already: ${thread}`,
  threadBegins: 'What is written here goes on from the answer above. Nobody has to press “Reply”.',
  threadBeginsWithMentions: 'Mention me in a message here, and I go on from the answer above.',
  threadForbidden: 'The bot may not open threads here: it needs “Create Public Threads” and “Send Messages in Threads”.',

  nothingSaid: 'You have not asked anything here that the assistant remembers.',
  asked: 'Asked',
  answered: 'Answered',
  wholeHistory: 'All of it is in the file.',
  forgotten:
    'It is forgotten: nothing of it is kept, nor is any draft that nobody approved. Your next question here begins a new conversation. What stands in the channel stays there.',
  forgottenMeanwhile: 'The conversation was forgotten meanwhile. Ask again, and a new one begins.',
  leftOnly: (owner: string) =>
    `You have left it: your next question begins a new conversation. The one before was begun by ${owner}; they can have it forgotten, and so can who runs the bot.`,
  notYours: (owner: string) =>
    `Nothing was forgotten: all here share the conversation. It was begun by ${owner}, who can have it forgotten, and so can who runs the bot. \`/ask\` with \`new: True\` begins a new one here, for all.`,

  draft: {
    post: 'A post, not sent yet',
    rule: (id: string) => `A rule, not running yet: ${id}`,
    decidedPost: 'A post',
    decidedRule: (id: string) => `A rule: ${id}`,
    by: (person: string) => `Asked for by ${person}`,
    length: (length: string, most: string | undefined) => (most === undefined ? `${length} characters` : `${length} of ${most} characters`),
    thread: (posts: number) => `a thread of ${posts} posts`,
    empty: 'nothing in it',
    tooLong: 'too long',
    schedule: 'It runs',
    watches: 'It watches',
    does: 'And does',
    first: 'When something is new',
    during: 'While it lasts',
    after: 'When it is over',
    cut: 'The rest is in the file.',
    tests: 'It comes with tests, which pass.',
    approve: 'Approve',
    drop: 'Drop',
    asFile: 'As a file',
    refresh: 'What became of it?',
    approved: (person: string) => `Approved by ${person}`,
    dropped: (person: string) => `Dropped by ${person}`,
    runs: (file: string) => `The rule is on: ${file}`,
    sending: 'It is being sent.',
    sent: (account: string, link: string) => `${account}: ${link}`,
    notSent: (account: string, why: string) => `${account}: not sent. ${why}`,
    waits: (account: string) => `${account}: on its way`,
    alreadyApproved: (person: string) => `That was done already: ${person} approved it.`,
    alreadyDropped: (person: string) => `That was done already: ${person} dropped it.`,
    gone: 'This draft is gone: it was too old, or its conversation was forgotten. Ask for it again.',
    needsPost: 'Only people who may post can approve or drop this.',
    needsOperate: 'Only people who run the rules can approve or drop this.',
    refused: (why: string) => `It cannot be done as it is: ${why}`,
    reasons: {
      check: (lines: string) => `The rule cannot run as accounts and rules are now. ${lines}`,
      tests: (lines: string) => `The tests of the rule fail. ${lines}`,
      switched: 'The rule says itself whether it is on, which is for people to say.',
      files: 'The rule attaches files of the machine that the bot runs on.',
      withheld: (verb: string) => `The rule reads ${verb}, which not everybody may see. Whoever wants that writes the rule by hand.`,
      taken: (rule: string) => `There is a rule ${rule} already. Have it drafted with another id.`,
      unwritten: (file: string) =>
        `${file} cannot be written into the folder of rules: it is there already, or the bot may not. Its log says why.`,
      noAccount: 'There is no account that posts.',
      empty: (account: string) => `${account}: There is nothing in the post.`,
      tooLong: (account: string) => `${account}: The post is too long, also for a thread.`,
      unfit: (account: string, why: string) => `${account}: The post would not be taken there (${why}).`,
    },
  },
};
