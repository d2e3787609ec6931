import { isBoolean, isPlace, isText, messageReader, orNull } from '../kit/checks.ts';
import type { ToGraphPanel } from './messages.ts';

/** A message of the graph's page; undefined for anything else. */
export const readGraphMessage = messageReader<ToGraphPanel>({
  ready: {},
  reveal: { place: isPlace, focus: isBoolean },
  scope: { scope: orNull(isText) },
  newSkill: {},
});
