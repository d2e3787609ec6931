/** The header: the skill, its state, its tokens, and a menu. */
import { IconButton, Link, Menu, MenuItem, Popover } from '../../kit/controls.tsx';
import { grouped, numberFormat, t, tCount } from '../../kit/l10n.ts';
import { estimateText } from '../../kit/token-estimate.ts';
import type { CompareTarget } from '../messages.ts';
import type { ShownPrompt } from '../shown-prompt.ts';
import { isAgentSkill, samplesOf, stateOf, type ViewProps } from './model.ts';
import { blockName, blocksOf, goToBlock } from './prompt/blocks.ts';

const top = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

export function Header({ model, actions }: ViewProps) {
  const { show, prompt, page } = model;
  if (!show) return null;
  const { uri, name } = show.reply;
  const { kind, word, why, opens } = stateOf(model);
  const lockLabel = page.locked
    ? t('Follow the active editor (now locked to this skill)')
    : t('Lock to this skill (now follows the active editor)');
  return (
    <header>
      <h1>
        <Link title={`${name}\n${t('Go to the skill')}`} onClick={() => actions.reveal({ uri, range: top }, true)}>
          {name}
        </Link>
      </h1>
      <button
        type="button"
        class={`state ${kind}`}
        title={why}
        onClick={() => (opens === 'input' ? actions.edit() : actions.setPage({ tab: opens }))}
      >
        <span class={`dot ${kind}`} aria-hidden="true" />
        <span class="word">{word}</span>
      </button>
      <span class="unseen" role="status" aria-live="polite">
        {`${name}: ${word}`}
      </span>
      <span class="controls">
        {prompt && <Tokens prompt={prompt} estimate={show.reply.estimate} />}
        <IconButton
          icon={page.locked ? 'lock' : 'follow'}
          label={lockLabel}
          pressed={page.locked}
          onClick={() => actions.post({ type: 'lock', locked: !page.locked })}
        />
        <Menu icon="more" label={t('More')} onOpen={() => actions.post({ type: 'menuOpened' })}>
          {!isAgentSkill(model) && (
            <MenuItem onClick={() => actions.post({ type: 'keepPrompt' })}>{t('Save as expected prompt')}</MenuItem>
          )}
          <Comparisons model={model} actions={actions} />
          <MenuItem onClick={() => actions.post({ type: 'openJson' })}>{t('Open the composition as JSON')}</MenuItem>
          <Facts model={model} actions={actions} />
        </Menu>
      </span>
    </header>
  );
}

interface TokensProps {
  readonly prompt: ShownPrompt;
  /** The number in place of the exact one. */
  readonly estimate: number | undefined;
}

/** The number of tokens in each block, largest first, with links to the blocks, and the tokenizer. */
function Tokens({ prompt, estimate }: TokensProps) {
  const { total, budget, tokenizer } = prompt.tokens;
  const share = budget === null || budget === 0 ? 0 : Math.min(1, total / budget);
  const all = [...blocksOf(prompt)].sort((a, b) => b.tokens - a.tokens);
  // The only part has the size of the whole prompt.
  const blocks = estimate !== undefined && all.length === 1 ? [] : all;
  const exact = tCount(total, '1 token', '{0} tokens');
  const count = estimate === undefined ? exact : estimateText(estimate);
  const figure = budget === null ? count : `${grouped(estimate ?? total)} / ${short(budget)}`;
  const level = budget !== null && total > budget ? 'over' : share > 0.8 ? 'near' : '';
  return (
    <Popover
      class={`face pill ${level}`}
      label={t('Prompt: {0}', count)}
      face={
        <>
          <span class="of quiet">{t('Prompt')}</span>
          {figure}
          {budget !== null && (
            <span class="bar" aria-hidden="true">
              <span style={{ width: `${Math.round(share * 100)}%` }} />
            </span>
          )}
        </>
      }
    >
      <table class="weights">
        <tbody>
          {blocks.map((block) => (
            <tr key={block.key}>
              <td>
                <Link onClick={() => goToBlock(block.key)}>{blockName(block)}</Link>
              </td>
              <td class="figure">{grouped(block.tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="facts quiet">
        {estimate === undefined
          ? t('Tokenizer: {0}', tokenizer)
          : t('{0} with {1}; each client has its own tokenizer', exact, tokenizer)}
      </p>
    </Popover>
  );
}

/** The menu items that compare the prompt with another prompt. A disabled item shows the reason. */
function Comparisons({ model, actions }: ViewProps) {
  const { incomparable, page } = model;
  const compare = (target: CompareTarget) => () => actions.post({ type: 'compare', with: target });
  const others = samplesOf(model)?.samples.filter(({ name }) => name !== page.asked.sample) ?? [];
  return (
    <>
      <MenuItem disabled={incomparable.saved} onClick={compare({ kind: 'saved' })}>
        {t('Compare with the last save')}
      </MenuItem>
      <MenuItem disabled={incomparable.head} onClick={compare({ kind: 'head' })}>
        {t('Compare with git’s HEAD')}
      </MenuItem>
      {others.map(({ name }) => (
        <MenuItem key={name} onClick={compare({ kind: 'sample', name })}>
          {t('Compare with the sample {0}', name)}
        </MenuItem>
      ))}
    </>
  );
}

/** The version, the engine and the time of the composition. */
function Facts({ model: { show, composition } }: ViewProps) {
  if (!show) return null;
  const { skillVersion, milliseconds } = show.reply;
  const facts = [
    ...(skillVersion === '' ? [] : [t('Version {0}', skillVersion)]),
    ...(composition ? [`${composition.engine.name} ${composition.engine.version}`] : []),
    t('Composed in {0} ms', oneDigit(milliseconds)),
  ];
  return <p class="facts quiet">{facts.join(' · ')}</p>;
}

const oneDigit = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
const short = numberFormat({ notation: 'compact', maximumFractionDigits: 1 });
