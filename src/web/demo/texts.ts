import type { Texts } from '../language.ts';

interface PanelTexts {
  readonly title: string;
  /** What is missing, and when it will appear. */
  readonly empty: readonly [what: string, when: string];
}

/** The texts of the demonstration. */
interface DemoTexts {
  readonly skip: Readonly<Record<'live' | 'posts' | 'messages', string>>;
  readonly sandbox: string;
  readonly panels: Readonly<Record<'live' | 'posts' | 'messages', PanelTexts>>;
  readonly unreadable: string;
  readonly seeLog: string;
  readonly viewers: (count: number) => string;
  readonly started: string;
  readonly edited: string;
  readonly newPost: (author: string) => string;
  readonly newMessage: (channel: string) => string;
  readonly channel: (name: string) => string;
  readonly messagesIn: (name: string) => string;
  readonly buttons: string;
  readonly reactions: string;
  readonly thread: string;
}

export const DEMO_TEXTS: Texts<DemoTexts> = {
  en: {
    skip: { live: 'Skip to the streams', posts: 'Skip to the posts', messages: 'Skip to the messages' },
    sandbox: 'Sandbox: simulated platforms; nothing leaves this machine',
    panels: {
      live: { title: 'Live now', empty: ['No live streams.', 'The most watched streams appear here.'] },
      posts: {
        title: 'Social timeline',
        empty: ['No posts yet.', 'Posts of your accounts appear here. In the sandbox, the first post takes less than a minute.'],
      },
      messages: { title: 'Discord', empty: ['No messages yet.', 'Messages that rules send to Discord appear here, with their edits.'] },
    },
    unreadable: 'This part is unavailable right now.',
    seeLog: 'See the Fanfare log for the reason.',
    viewers: (count) => (count === 1 ? ' viewer' : ' viewers'),
    started: 'started',
    edited: '(edited)',
    newPost: (author) => `New post by ${author}:`,
    newMessage: (channel) => `New message in ${channel}:`,
    channel: (name) => `Channel ${name}`,
    messagesIn: (name) => `Messages in ${name}`,
    buttons: 'Buttons',
    reactions: 'Reactions',
    thread: 'Thread:',
  },
  de: {
    skip: { live: 'Zu den Streams springen', posts: 'Zu den Beiträgen springen', messages: 'Zu den Nachrichten springen' },
    sandbox: 'Sandbox: simulierte Plattformen; nichts verlässt diesen Rechner',
    panels: {
      live: { title: 'Jetzt live', empty: ['Niemand ist live.', 'Die meistgesehenen Streams erscheinen hier.'] },
      posts: {
        title: 'Timeline',
        empty: [
          'Noch keine Beiträge.',
          'Beiträge der eigenen Konten erscheinen hier. In der Sandbox dauert der erste weniger als eine Minute.',
        ],
      },
      messages: {
        title: 'Discord',
        empty: ['Noch keine Nachrichten.', 'Nachrichten, die Regeln an Discord senden, erscheinen hier mit ihren Änderungen.'],
      },
    },
    unreadable: 'Dieser Teil ist gerade nicht verfügbar.',
    seeLog: 'Der Grund steht im Protokoll von Fanfare.',
    viewers: () => ' Zuschauer',
    started: 'begann',
    edited: '(bearbeitet)',
    newPost: (author) => `Neuer Beitrag von ${author}:`,
    newMessage: (channel) => `Neue Nachricht in ${channel}:`,
    channel: (name) => `Kanal ${name}`,
    messagesIn: (name) => `Nachrichten in ${name}`,
    buttons: 'Knöpfe',
    reactions: 'Reaktionen',
    thread: 'Thread:',
  },
};
