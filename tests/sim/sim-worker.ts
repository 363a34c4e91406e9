/** A process that plays worlds for `npm run sim -- --workers N`: each message is a world, each answer its result. */
import { playSeed, type WorldOfSeed } from './play-seed.ts';

Error.stackTraceLimit = 0;
process.on('message', (world: WorldOfSeed) => {
  void playSeed(world).then((result) => process.send?.(result));
});
