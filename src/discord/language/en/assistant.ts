/** The assistant. */
export const assistant = {
  ask: { name: 'ask', description: 'Ask the assistant; it remembers what you asked here' },
  text: { name: 'text', description: 'Your question' },
  hidden: { name: 'private', description: 'Only you see the answer' },
  anew: { name: 'new', description: 'Start a new conversation' },
  conversation: { name: 'conversation', description: 'Your conversation with the assistant here' },
  history: { name: 'history', description: 'Show the conversation only to you' },
  forget: { name: 'forget', description: 'Make the assistant forget the conversation' },
  hiddenOne: { name: 'private', description: 'Your private conversation' },

  lookingAt: {
    streaming: 'Looking at the streams …',
    social: 'Looking at posts …',
    draft: 'Writing a draft …',
    other: 'Looking something up …',
  },
  brokenOff: (why: string) => `The answer ends here. ${why}`,
  restIsInHistory: 'The answer is longer than fits here: `/conversation history` has all of it.',
  nothingAsked: 'Write what you want to know.',
  noAnswer: 'I have no answer to that.',
  draftBelow: 'Here is a draft. Nothing happens until a member approves it.',
  interrupted: 'The bot was restarted while it answered. Ask again.',

  tooMuchByYou: (again: string | undefined) =>
    again === undefined
      ? 'No one can ask the assistant at the moment.'
      : `That was your last question for now. You can ask again ${again}.`,
  tooMuchHere: (again: string | undefined) =>
    again === undefined
      ? 'No one can ask the assistant here at the moment.'
      : `This server has used up its questions. The assistant answers again ${again}.`,
  tooLong: 'This conversation is too long. Start a new one: `/ask` with `new: True`.',

  goOn: 'Go on in a thread',
  threadOf: 'Conversation',
  threadOpened: (thread: string) => `Go on in ${thread}.`,
  threadIsThere: (thread: string) => `There is a thread already: ${thread}`,
  threadBegins: 'Messages here continue from the answer above. You do not have to click “Reply”.',
  threadBeginsWithMentions: 'Mention me in a message here, and I go on from the answer above.',
  threadForbidden: 'The bot may not open threads here: it needs “Create Public Threads” and “Send Messages in Threads”.',

  noHistory: 'You have not asked anything here that the assistant remembers.',
  asked: 'Asked',
  answered: 'Answered',
  wholeHistory: 'All of it is in the file.',
  forgotten:
    'The conversation is forgotten, with all its open drafts. Your next question here starts a new one. The messages in the channel stay.',
  forgottenMeanwhile: 'The conversation was forgotten. Ask again to start a new one.',
  leftOnly: (owner: string) =>
    `You left the conversation: your next question starts a new one. Only ${owner}, who started it, and operators can make the assistant forget it.`,
  notYours: (owner: string) =>
    `Nothing was forgotten: everyone here shares the conversation. Only ${owner}, who started it, and operators can make the assistant forget it. \`/ask\` with \`new: True\` starts a new one for everyone.`,

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
    refresh: 'Refresh',
    approved: (person: string) => `Approved by ${person}`,
    dropped: (person: string) => `Dropped by ${person}`,
    runs: (file: string) => `The rule is on: ${file}`,
    sending: 'It is being sent.',
    sent: (account: string, link: string) => `${account}: ${link}`,
    notSent: (account: string, why: string) => `${account}: not sent. ${why}`,
    waits: (account: string) => `${account}: on its way`,
    alreadyApproved: (person: string) => `${person} already approved it.`,
    alreadyDropped: (person: string) => `${person} already dropped it.`,
    gone: 'This draft was deleted: it was too old, or its conversation was forgotten. Ask for it again.',
    needsPost: 'Only members who may post can approve or drop this.',
    needsOperate: 'Only operators can approve or drop this.',
    refused: (why: string) => `This draft cannot be approved: ${why}`,
    reasons: {
      check: (lines: string) => `The rule cannot run with the current accounts and rules. ${lines}`,
      tests: (lines: string) => `The tests of the rule fail. ${lines}`,
      switched: 'The rule sets “enabled”. Only operators decide whether a rule is on.',
      files: 'The rule attaches files of the machine that the bot runs on.',
      withheld: (verb: string) => `The rule reads ${verb}, which not everyone may see. Write such a rule by hand.`,
      taken: (rule: string) => `The rule ${rule} already exists. Ask for a draft with another id.`,
      unwritten: (file: string) =>
        `${file} cannot be written into the folder of rules: it is there already, or the bot may not. Its log says why.`,
      noAccount: 'There is no account that can post.',
      empty: (account: string) => `${account}: The post is empty.`,
      tooLong: (account: string) => `${account}: The post is too long, even for a thread.`,
      unfit: (account: string, why: string) => `${account}: The platform would reject the post (${why}).`,
    },
  },
};
