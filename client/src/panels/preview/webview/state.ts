/** The state of the shown skill in one word, and why. */
import { t } from '../../kit/l10n.ts';
import { gatesOf, type Model } from './model.ts';
import { inputErrors } from './problems.ts';

export interface State {
  readonly kind: 'ready' | 'made-up' | 'not-offered' | 'refused' | 'broken';
  readonly word: string;
  readonly why: string;
}

export function stateOf(model: Model): State {
  const ofInput = inputErrors(model);
  if (model.errors.length > ofInput.length) {
    return { kind: 'broken', word: t('Broken'), why: t('The file is wrong; the problems below say where.') };
  }
  if (ofInput.length > 0) {
    return { kind: 'refused', word: t('Check input'), why: ofInput.map(({ message }) => plain(message)).join('\n') };
  }
  const gates = gatesOf(model);
  if (gates.length > 0) {
    const why = gates.map(({ reason }) => t('The planner would not dispatch this, because {0}.', plain(reason)));
    return { kind: 'not-offered', word: t('Not offered here'), why: why.join('\n') };
  }
  const madeUp = model.show?.reply.madeUp ?? [];
  if (madeUp.length > 0) {
    return {
      kind: 'made-up',
      word: t('Made-up values'),
      why: t('Nobody gave these, so they are made up from the schema: {0}.', madeUp.join(', ')),
    };
  }
  return { kind: 'ready', word: t('Ready'), why: t('This is what the model will read.') };
}

/** Without the marks of code, for where no elements are shown. */
export const plain = (text: string): string => text.replace(/`([^`]*)`/g, '“$1”');
