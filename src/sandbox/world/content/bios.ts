/** What people say about themselves, by language; `{game}` is what they play most. */
export const bios: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Mostly {game}. Sometimes good at it.',
    '{game} after work, coffee before it.',
    'I stream {game} and talk about soup.',
    'Long nights, short games. Business: ask my cat.',
  ],
  de: ['Meistens {game}, manchmal wach.', 'Feierabendstreams: {game} und Tee.'],
  fr: ['Surtout {game}, et du café.', 'Je joue à {game} le soir.'],
  es: ['{game} y buena charla.', 'Casi siempre {game}.'],
  pt: ['{game} e boa conversa.', 'Quase sempre {game}.'],
  it: ['Quasi sempre {game}.'],
  pl: ['Głównie {game}.'],
  tr: ['Çoğunlukla {game}.'],
  ru: ['В основном {game}.'],
  zh: ['主要玩{game}。'],
  ko: ['주로 {game} 합니다.'],
  ja: ['だいたい{game}をしています。'],
};
