/** Words of English that say nothing of what a request is about, polite ones among them. */
const WORDS =
  'a about above after again all also am an and any are as at be because been before being between both but by can could did do does doing done down during each else ever every few for from further get gets getting give go goes going got had has have having he help her here hers him his how i if in into is it its just kindly let lets like me might more most must my no nor not now of off on once one only or other ought our ours out over own please same shall she should so some such than thank thanks that the their theirs them then there these they this those through to too under until up us very want wants was we were what when where which while who whom whose why will with within without would yes you your yours need needs';

export const STOP_WORDS: ReadonlySet<string> = new Set([
  ...WORDS.split(' '),
  // What is left of `I'm`, `don't`, `we'll` and their like.
  ...['m', 's', 't', 'd', 'll', 're', 've', 'don', 'doesn', 'didn', 'isn', 'aren', 'won', 'couldn'],
]);

/** The stop words that a phrase may have or lack without meaning another thing. */
export const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the']);
