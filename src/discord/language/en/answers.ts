/** Below questions that rules ask, and where people answer them. */
export const answers = {
  nobodyInTime: 'Nobody answered in time.',
  ownWords: 'In your own words',
  nothingInIt: 'There was nothing in it. Press the button again, and write something.',
  closed: 'This question is closed: somebody answered it already, or nobody did in time.',
  taken: 'Your answer was taken. It is shown nowhere, because the question was deleted meanwhile.',
  said: (choice: string, person: string) => `**${choice}**, says ${person}`,
};
