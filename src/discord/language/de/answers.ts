import type { Words } from '../words.ts';

/** Unter Fragen, die Regeln stellen, und wo Leute sie beantworten. */
export const answers: Words['answers'] = {
  nobodyInTime: 'Niemand hat rechtzeitig geantwortet.',
  ownWords: 'In eigenen Worten',
  nothingInIt: 'Da stand nichts. Drücke den Knopf noch einmal und schreibe etwas.',
  closed: 'Diese Frage ist geschlossen: Jemand hat sie schon beantwortet, oder niemand tat es rechtzeitig.',
  taken: 'Deine Antwort ist angekommen. Zu sehen ist sie nirgends, weil die Frage inzwischen gelöscht wurde.',
  said: (choice, person) => `**${choice}**, sagt ${person}`,
};
