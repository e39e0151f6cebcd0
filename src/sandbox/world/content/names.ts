const first = `
  amber arctic autumn azure bitter blazing bold brave brisk calm candid clever copper cosmic crimson curious dapper daring
  distant dizzy dusty eager electric fabled feral fierce fleet frosty gentle ghostly gilded glassy golden grumpy hasty hidden
  hollow humble idle iron jolly keen lazy little lucid lunar mellow merry midnight misty neon nimble noble odd pixel plucky
  polar proud quick quiet ragged rapid rogue royal rustic salty silent silver sleepy sly solar stormy
`;

const second = `
  acorn anchor arrow badger bandit beacon bison bramble canyon cipher comet condor coyote cricket dagger dingo ember falcon
  fathom ferret fjord fox gecko glacier goblin harbor hawk heron hornet ibis jackal kestrel knight lantern lemur lynx magpie
  mantis marmot marten meteor moth nebula newt nomad ocelot orbit osprey otter owl panther parrot pebble pilgrim puffin quokka
  raccoon raven ridge saffron sparrow squid stoat sultan tanuki tapir thistle tundra vortex walrus wizard yak
`;

const firstWords = first.trim().split(/\s+/);
const secondWords = second.trim().split(/\s+/);

/** How many names there are. */
const nameCount = firstWords.length * secondWords.length;

/** Has no factor in common with `nameCount`, so that neighbours have nothing in common either. */
const STRIDE = 2957;

/** The handle and the display name of the person with this number; no two numbers below `nameCount` share one. */
export function nameOf(number: number): { readonly handle: string; readonly displayName: string } {
  const place = (number * STRIDE) % nameCount;
  const one = firstWords[place % firstWords.length] ?? '';
  const two = secondWords[Math.floor(place / firstWords.length)] ?? '';
  const shown = `${capital(one)}${capital(two)}`;
  switch (number % 5) {
    case 0:
      return { handle: `${one}_${two}`, displayName: `${capital(one)}_${capital(two)}` };
    case 1:
      return { handle: `${one}${two}${number % 97}`, displayName: `${shown}${number % 97}` };
    case 2:
      return { handle: `${one}${two}`, displayName: `${one}${two}` };
    case 3:
      return { handle: `${one}${two}tv`, displayName: `${shown}TV` };
    default:
      return { handle: `${one}${two}`, displayName: shown };
  }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
