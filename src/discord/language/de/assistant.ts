import type { Texts } from '../texts.ts';

/** The assistant. */
export const assistant: Texts['assistant'] = {
  ask: { name: 'frag', description: 'Frag den Assistenten; er erinnert sich an deine Fragen hier' },
  text: { name: 'text', description: 'Deine Frage' },
  hidden: { name: 'privat', description: 'Nur du siehst die Antwort' },
  anew: { name: 'neu', description: 'Fang ein neues Gespräch an' },
  conversation: { name: 'gespräch', description: 'Dein Gespräch mit dem Assistenten hier' },
  history: { name: 'verlauf', description: 'Zeig das Gespräch nur dir' },
  forget: { name: 'vergiss', description: 'Lass den Assistenten das Gespräch vergessen' },
  hiddenOne: { name: 'privat', description: 'Dein privates Gespräch' },

  lookingAt: {
    streaming: 'Schaut nach den Streams …',
    social: 'Schaut nach Posts …',
    draft: 'Schreibt einen Entwurf …',
    other: 'Schaut etwas nach …',
  },
  brokenOff: (why) => `Hier bricht die Antwort ab. ${why}`,
  restIsInHistory: 'Die Antwort ist zu lang für Discord. `/gespräch verlauf` zeigt sie ganz.',
  nothingAsked: 'Schreib, was du wissen willst.',
  noAnswer: 'Darauf habe ich keine Antwort.',
  draftBelow: 'Hier ist ein Entwurf. Es passiert nichts, bevor ihn jemand freigibt.',
  interrupted: 'Der Bot wurde mitten in der Antwort neu gestartet. Frag noch einmal.',

  tooMuchByYou: (again) =>
    again === undefined
      ? 'Gerade darf niemand den Assistenten fragen.'
      : `Du hast dein Kontingent aufgebraucht. Du kannst ${again} wieder fragen.`,
  tooMuchHere: (again) =>
    again === undefined
      ? 'Hier darf gerade niemand den Assistenten fragen.'
      : `Dieser Server hat sein Kontingent aufgebraucht. Der Assistent antwortet ${again} wieder.`,
  tooLong: 'Dieses Gespräch ist zu lang geworden. Fang ein neues an: `/frag` mit `neu: True`.',

  goOn: 'In einem Thread fortsetzen',
  threadOf: 'Gespräch',
  threadOpened: (thread) => `Weiter geht es in ${thread}.`,
  threadIsThere: (thread) => `Es gibt schon einen Thread: ${thread}`,
  threadBegins: 'Nachrichten hier setzen das Gespräch fort. Du musst nicht auf „Antworten“ klicken.',
  threadBeginsWithMentions: 'Erwähne mich hier in einer Nachricht, um das Gespräch fortzusetzen.',
  threadForbidden:
    'Der Bot kann hier keine Threads erstellen. Er braucht „Öffentliche Threads erstellen“ und „Nachrichten in Threads senden“.',

  noHistory: 'Der Assistent erinnert sich an keine Frage von dir hier.',
  asked: 'Gefragt',
  answered: 'Geantwortet',
  wholeHistory: 'Alles steht in der Datei.',
  forgotten:
    'Das Gespräch und seine offenen Entwürfe sind gelöscht. Mit deiner nächsten Frage hier beginnt ein neues. Die Nachrichten im Kanal bleiben.',
  forgottenMeanwhile: 'Das Gespräch wurde gelöscht. Frag noch einmal, um ein neues zu beginnen.',
  leftOnly: (owner) =>
    `Du hast das Gespräch verlassen. Mit deiner nächsten Frage beginnt ein neues. Das bisherige hat ${owner} angefangen und kann es vergessen lassen, ebenso wer den Bot betreibt.`,
  notYours: (owner) =>
    `Es wurde nichts gelöscht, denn alle hier teilen sich das Gespräch. Vergessen lassen kann es nur, wer es angefangen hat (${owner}), oder wer den Bot betreibt. Mit \`/frag\` und \`neu: True\` fängt hier ein neues an, für alle.`,

  draft: {
    post: 'Ein Post, noch nicht gesendet',
    rule: (id) => `Eine Regel, die noch nicht läuft: ${id}`,
    decidedPost: 'Ein Post',
    decidedRule: (id) => `Eine Regel: ${id}`,
    by: (person) => `Gewünscht von ${person}`,
    length: (length, most) => (most === undefined ? `${length} Zeichen` : `${length} von ${most} Zeichen`),
    thread: (posts) => `ein Thread aus ${posts} Posts`,
    empty: 'leer',
    tooLong: 'zu lang',
    schedule: 'Sie läuft',
    watches: 'Sie schaut auf',
    does: 'Schritte',
    first: 'Wenn etwas neu ist',
    during: 'Solange es anhält',
    after: 'Wenn es vorbei ist',
    cut: 'Der Rest steht in der Datei.',
    tests: 'Die Tests der Regel bestehen.',
    approve: 'Freigeben',
    drop: 'Verwerfen',
    asFile: 'Als Datei',
    refresh: 'Was wurde daraus?',
    approved: (person) => `Freigegeben von ${person}`,
    dropped: (person) => `Verworfen von ${person}`,
    runs: (file) => `Die Regel läuft: ${file}`,
    sending: 'Er wird gerade gesendet.',
    sent: (account, link) => `${account}: ${link}`,
    notSent: (account, why) => `${account}: nicht gesendet. ${why}`,
    waits: (account) => `${account}: unterwegs`,
    alreadyApproved: (person) => `Bereits erledigt: ${person} hat es freigegeben.`,
    alreadyDropped: (person) => `Bereits erledigt: ${person} hat es verworfen.`,
    gone: 'Dieser Entwurf wurde gelöscht, weil er zu alt war oder sein Gespräch gelöscht wurde. Bitte um einen neuen.',
    needsPost: 'Nur Mitglieder, die posten dürfen, können das freigeben oder verwerfen.',
    needsOperate: 'Nur Operatoren können das freigeben oder verwerfen.',
    refused: (why) => `Dieser Entwurf kann nicht freigegeben werden: ${why}`,
    reasons: {
      check: (lines) => `Mit den aktuellen Konten und Regeln kann die Regel nicht laufen. ${lines}`,
      tests: (lines) => `Die Tests der Regel schlagen fehl. ${lines}`,
      switched: 'Die Regel setzt „enabled“. Nur Operatoren schalten Regeln ein oder aus.',
      files: 'Die Regel hängt Dateien von dem Rechner an, auf dem der Bot läuft.',
      withheld: (verb) => `Die Regel liest ${verb}, und das ist nicht für alle sichtbar. Ein Operator muss so eine Regel selbst schreiben.`,
      taken: (rule) => `Die Regel ${rule} gibt es schon. Lass sie mit einer anderen ID entwerfen.`,
      unwritten: (file) => `Die Datei ${file} kann nicht in den Regelordner geschrieben werden. Der Grund steht im Protokoll des Bots.`,
      noAccount: 'Es gibt kein Konto, das posten kann.',
      empty: (account) => `${account}: Der Post ist leer.`,
      tooLong: (account) => `${account}: Der Post ist zu lang, auch für einen Thread.`,
      unfit: (account, why) => `${account}: Die Plattform würde den Post ablehnen (${why}).`,
    },
  },
};
