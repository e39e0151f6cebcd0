import type { Genre } from './games.ts';

/** Titles by language; `{game}` is the name of the game. */
export const titles: Readonly<Record<string, readonly string[]>> = {
  en: [
    'one more round and then bed (lie)',
    'chill {game} with chat',
    'learning {game} the slow way',
    '{game} until the coffee runs out',
    'back from holiday, be nice | {game}',
    'viewer games later | !rules',
    'no talking before the second cup',
    'day {n} of {game}',
    'trying the new patch',
    'we said we would stop an hour ago',
  ],
  de: [
    'Gemütlicher Abend mit {game}',
    'Nur noch eine Runde {game}',
    'Feierabend & {game} | !regeln',
    'Tag {n}: heute klappt es',
    '{game} mit der Community',
    'Erst Kaffee, dann {game}',
  ],
  fr: [
    'On se détend sur {game}',
    '{game} avec vous, jour {n}',
    'Dernière partie (promis)',
    'Soirée {game} tranquille',
    'On découvre {game} à l’aveugle',
    'Café, chat et {game}',
  ],
  es: [
    'Tarde de {game} con ustedes',
    'Una más y nos vamos | {game}',
    'Día {n} de {game}',
    'Aprendiendo {game} desde cero',
    'Charlando y jugando {game}',
    '¡Volvimos! {game}',
  ],
  pt: [
    'Só mais uma de {game}',
    '{game} com o chat',
    'Dia {n} tentando zerar',
    'Chega mais! {game}',
    'Noite tranquila de {game}',
    'Voltei das férias | {game}',
  ],
  it: ['Serata {game} in compagnia', 'Ancora una partita, promesso', 'Giorno {n} di {game}', 'Impariamo {game} insieme'],
  pl: ['Spokojny wieczór z {game}', 'Jeszcze jedna runda', 'Dzień {n}: {game}', 'Gramy i gadamy'],
  tr: ['Sohbet ve {game}', 'Bir el daha, söz', '{n}. gün: {game}', 'Akşam keyfi'],
  ru: ['Вечерний {game}', 'Ещё одна катка и спать', 'День {n}: {game}', 'Общаемся и играем'],
  zh: ['今晚玩{game}', '再来一局就睡', '第{n}天：{game}', '和大家一起聊天'],
  ko: ['저녁 {game} 같이 해요', '딱 한 판만 더', '{n}일차 {game}', '수다 떨면서 {game}'],
  ja: ['まったり{game}', 'あと一回だけ', '{n}日目の{game}', '雑談しながら{game}'],
};

/** More English titles, by genre. */
export const titlesByGenre: Readonly<Record<Genre, readonly string[]>> = {
  shooter: ['ranked grind to immortal-ish', 'aim warmup then solo queue', 'scrims with the new five'],
  arena: ['climbing out of silver, week {n}', 'support only, pray for us', 'off-role Sunday'],
  talk: ['catching up with you all', 'unboxing letters from chat', 'cooking something I cannot pronounce'],
  build: ['castle build, part {n}', 'the factory must sleep', 'survival with zero plan'],
  board: ['rapid games against viewers', 'openings I regret', 'blitz until a thousand games'],
  puzzle: ['no hints please', 'finishing world {n} today', 'thinking out loud'],
  story: ['first playthrough, NO SPOILERS', 'boss number {n}', 'side quests only'],
  cosy: ['rainy day farming', 'decorating the porch', 'tea and harvest'],
  race: ['speedrun practice, splits by hand', 'any% attempts, day {n}', 'new route test'],
  craft: ['quiet work session', 'finishing what we began last week', 'open studio, ask anything'],
  roguelike: ['run number {n}', 'cursed seeds from chat', 'no-hit practice'],
};

export const languageTags: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  it: 'Italiano',
  pl: 'Polski',
  tr: 'Türkçe',
  ru: 'Русский',
  zh: '中文',
  ko: '한국어',
  ja: '日本語',
};

export const genreTags: Readonly<Record<Genre, readonly string[]>> = {
  shooter: ['FPS', 'Ranked', 'Competitive'],
  arena: ['MOBA', 'Ranked', 'Strategy'],
  talk: ['IRL', 'Chatty', 'Podcast'],
  build: ['Survival', 'Building', 'Sandbox'],
  board: ['BoardGames', 'Educational', 'Competitive'],
  puzzle: ['Puzzle', 'NoBackseating', 'Relaxing'],
  story: ['FirstPlaythrough', 'NoSpoilers', 'RPG'],
  cosy: ['Cozy', 'Relaxing', 'Farming'],
  race: ['Speedrun', 'PersonalBest', 'Retro'],
  craft: ['Creative', 'WorkInProgress', 'Educational'],
  roguelike: ['Roguelike', 'Challenge', 'Deckbuilder'],
};

/** Tags for any genre. */
export const looseTags = [
  'ChillVibes',
  'NewStreamer',
  'AMA',
  'LGBTQIAPlus',
  'Vtuber',
  'Multistream',
  'DropsEnabled',
  'FamilyFriendly',
] as const;
