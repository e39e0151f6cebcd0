import type { Texts } from '../texts.ts';

/** The list of commands in German. */
export const help: Texts['help'] = {
  command: { name: 'hilfe', description: 'Die Befehle anzeigen, die du verwenden kannst' },
  title: '## Befehle von Fanfare',
  page: 'Seite öffnen',
  announce: { title: 'Ankündigungen', about: 'Wähle den Kanal und füge Streamer hinzu.' },
  pings: { title: 'Benachrichtigungen', about: 'Wähle die Rollen, mit denen dich Ankündigungen benachrichtigen.' },
  search: { title: 'Suchen', about: 'Suche Streams, Videos, Clips und Posts.' },
  ask: { title: 'Assistent', about: 'Stelle eine Frage, oder lass einen Post oder eine Regel entwerfen.' },
  post: { title: 'Posts', about: 'Poste in sozialen Konten, jetzt oder später.' },
  operate: { title: 'Betreiben', about: 'Halte Automationen an und sieh, was gesendet wurde, was fehlschlug und warum.' },
};
