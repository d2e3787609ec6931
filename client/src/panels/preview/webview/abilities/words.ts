/** What the tab of abilities calls what it shows (docs/abilities.md). */
import { t } from '../../../kit/l10n.ts';
import type { AbilitiesReply } from '../../messages.ts';

type Script = AbilitiesReply['scripts'][number];
type Run = AbilitiesReply['runs'][number];

/** Secrets of the environment stand among all secrets. */
export const reachNames: Readonly<Record<Exclude<Script['reaches'][number]['reach'], 'secrets'>, string>> = {
  network: t('network'),
  files: t('files outside'),
  processes: t('other programs'),
};

export const languageNames: Readonly<Record<Script['language'], string>> = {
  shell: 'Shell',
  python: 'Python',
  javascript: 'JavaScript',
  other: t('not scanned: only shell, Python and JavaScript are'),
};

export const whenRun = ({ kind, event }: Run): string =>
  kind === 'hook' ? t('at the event {0}', event ?? '') : t('before the model reads the text');

const findings: Readonly<Record<string, string>> = {
  download: t('a download that is run unread'),
  encoded: t('an encoded text that is run'),
  tag: t('tag characters, which nobody sees'),
  bidirectional: t('characters that turn the direction of the text'),
  'zero-width': t('characters without width'),
  selector: t('a row of selectors, which nobody sees'),
  instruction: t('a comment that speaks to the model'),
};

/** The kind of a secret is the name that its issuer gives it. */
export const wordsFor = (what: string): string => findings[what] ?? what;

export const whyLeftOut: Readonly<Record<AbilitiesReply['leftOut'][number]['why'], string>> = {
  'too-many': t('there are more than 200 files'),
  'too-large': t('larger than 1 MB'),
  'no-text': t('no text'),
};
