/** Below questions that rules ask, and where people answer them. */
export const answers = {
  nobodyInTime: 'Nobody answered in time.',
  ownWords: 'In your own words',
  nothingInIt: 'There was nothing in it. Press the button again, and write something.',
  closed: 'This question is closed: somebody answered it already, or nobody did in time.',
  taken: 'Your answer was taken. The question was deleted meanwhile, so that it is shown nowhere.',
  said: (choice: string, person: string) => `**${choice}**, says ${person}`,
};
