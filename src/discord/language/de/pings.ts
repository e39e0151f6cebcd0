import type { Texts } from '../texts.ts';

/** The roles that members choose for themselves, in German. */
export const pings: Texts['pings'] = {
  command: { name: 'benachrichtigungen', description: 'Wählen, welche Ankündigungen dich benachrichtigen' },
  choose: { name: 'wählen', description: 'Deine Benachrichtigungen wählen' },
  post: { name: 'posten', description: 'Rollen wählen, die Mitglieder wählen können, und das Menü in diesem Kanal posten' },
  title: '### Deine Benachrichtigungen',
  about: 'Wähle die Rollen, mit denen Ankündigungen dich benachrichtigen. Du kannst sie jederzeit ändern.',
  none: 'Dieser Server bietet noch keine Benachrichtigungen an. Wer den Bot einrichten darf, bietet sie mit `/benachrichtigungen posten` an.',
  pick: 'Keine Benachrichtigungen',
  saved: '✅ Deine Benachrichtigungen sind geändert.',
  offer: '### Welche Rollen können Mitglieder wählen?',
  offerPick: 'Keine Rollen',
  unsafe: (roles) =>
    `⚠️ Nicht angeboten: ${roles}. Eine Rolle, die Mitglieder wählen, muss unter meiner Rolle sein und darf keine Berechtigungen von Moderatoren haben.`,
  menu: '### 🔔 Benachrichtigungen\nWähle, welche Ankündigungen dich benachrichtigen.',
  buttons: { choose: 'Meine Benachrichtigungen wählen', post: 'Menü hier posten' },
  posted: '✅ Das Menü ist in diesem Kanal.',
};
