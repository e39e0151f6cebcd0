/** What people write: `{game}` is the name of a game, `{tag}` its hashtag. */
export const SENTENCES: readonly string[] = [
  'Three hours of {game} and I still cannot get past the second boss. {tag}',
  'New personal best in {game}! Two seconds off, and all of them luck. {tag} #speedrun',
  'Who is up for a round of {game} tonight? {tag}',
  'I said one more match of {game}. That was at nine. It is one now.',
  'Found a way through the wall on level four of {game}. Not telling where. {tag} #glitch',
  'The soundtrack of {game} is the best thing that I heard this year.',
  'My cat walked over the keyboard and won {game} for me. {tag}',
  'Patch day for {game}: everything that I was good at is gone. {tag}',
  'Thanks to everybody who watched the {game} marathon! We made it to the end. {tag}',
  'Drawing the map of {game} by hand. Two walls of my room are full already. {tag} #art',
  'Unpopular opinion: {game} is better with the sound off.',
  'Learning {game} from scratch. Be kind. {tag} #beginner',
  'Today: {game} with only one hand, for reasons that I regret. {tag} #challenge',
  'Tea, rain, {game}. A good evening.',
  'Does anybody still play {game}? I would love a rematch. {tag}',
  'World record attempts in {game} this weekend. Bring snacks. {tag} #speedrun',
  'The tutorial of {game} took me longer than the game.',
  'Our little tournament in {game} has eight places left. {tag} #tournament',
  'Streaming tips for {game}: water, light, and a mute button that you can find. #streaming',
  'I have finished {game}. What do people do after that? {tag}',
];

/** What people ask where others can vote. */
export const QUESTIONS: readonly string[] = [
  'What shall I stream tonight?',
  'One of these for a whole weekend. Which one?',
  'Which of these has the best soundtrack?',
  'I have time for one of these. Help me.',
  'Which one should come back as a remake?',
];

/** What people say of the account that writes through the API. */
export const MENTIONS: readonly string[] = [
  'Found {game} through @{self} today. There goes my evening. {tag}',
  'Thank you, @{self}! I would have missed the {game} run. {tag}',
  'Could @{self} look out for {game}, too? {tag}',
  '@{self} told me that somebody plays {game} with a dance mat. I have questions.',
  'Whoever runs @{self}: well done.',
  'Is anybody live with {game}, @{self}? {tag}',
];

/** What people answer to a post. */
export const ANSWERS: readonly string[] = [
  'I am there!',
  'Best news of the day.',
  'Thank you for telling.',
  'I have the popcorn ready.',
  'Why did I hear of this only now?',
  'Hah, called it.',
  'How long will it go on?',
];

/** What people answer to a post that asks something. */
export const ANSWERS_TO_QUESTIONS: readonly string[] = [
  'The first one, always.',
  'Yes!',
  'No idea, but I want to know.',
  'Neither.',
  'Ask the chat.',
];
