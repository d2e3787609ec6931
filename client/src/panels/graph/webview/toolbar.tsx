/** The toolbar of the graph: the shown part, search, filters, list, zoom and legend. */
import type { RefObject } from 'preact';
import { Icon, IconButton, Popover, Select, type SelectOption } from '../../kit/controls.tsx';
import { ARROW, type CanvasHandle, LegendEntry, zoomActions } from '../../kit/graph/canvas.tsx';
import { t } from '../../kit/l10n.ts';
import type { Card } from './drawing.ts';
import { levelsOf, WORKSPACE } from './folders.ts';
import { initialPosition, type Model, type ViewProps } from './model.ts';
import { levelTitle } from './text.ts';

interface ToolbarProps extends ViewProps {
  readonly model: Model;
  readonly canvas: RefObject<CanvasHandle | null>;
  /** The cards that match the search. */
  readonly hits: readonly Card[];
  /** Goes to the next match (1) or the previous one (-1). */
  readonly step: (by: 1 | -1) => void;
}

export function Toolbar(props: ToolbarProps) {
  const { page, graph, shown, canvas, actions } = props;
  const { level, onlyErrors, isAccented, asList, trail } = page;
  const levels = levelsOf(graph);
  const isGrouped = shown.grouping !== 'none';
  return (
    <div class="graph-bar" role="toolbar" aria-label={t('Composition graph')}>
      {trail.length > 0 && <IconButton icon="back" label={t('Back (Backspace)')} onClick={actions.back} />}
      <PartSelect {...props} />
      <Search {...props} />
      {(levels.length > 1 || level !== null) && (
        <Select
          label={t('Level')}
          value={level === null ? '' : String(level)}
          choices={[
            { value: '', label: t('All levels') },
            ...levels.map((one) => ({ value: String(one), label: levelTitle(one) })),
          ]}
          onChange={(value) => actions.setPage({ level: value === '' ? null : Number(value), view: null })}
        />
      )}
      <Toggle
        title={
          onlyErrors ? t('Skills without errors are hidden. Click to show them.') : t('Hide skills without errors')
        }
        pressed={onlyErrors}
        onClick={() => actions.setPage({ onlyErrors: !onlyErrors, view: null })}
      >
        {t('Only with errors')}
      </Toggle>
      {(shown.hasGroups || isGrouped || page.isGrouped !== null) && (
        <Toggle
          title={
            shown.isTooLarge
              ? t('There are too many connected skills to draw each one.')
              : t('Show one card for each group instead of each skill')
          }
          pressed={isGrouped}
          disabled={shown.isTooLarge}
          onClick={() => actions.setPage({ isGrouped: !isGrouped, view: null })}
        >
          {t('Grouped')}
        </Toggle>
      )}
      {graph.edges.some(({ isCritical }) => isCritical) && (
        <Toggle
          title={t('Highlight the slowest path through each composite')}
          pressed={isAccented}
          onClick={() => actions.setPage({ isAccented: !isAccented })}
        >
          {t('Slowest path')}
        </Toggle>
      )}
      <span class="end">
        <IconButton
          icon="list"
          label={t('Show as a list')}
          pressed={asList}
          onClick={() => actions.setPage({ asList: !asList })}
        />
        {!asList && zoomActions(canvas).map((one) => <IconButton key={one.icon} {...one} />)}
        <Popover label={t('Legend')} class="icon-button" face={<Icon name="help" />}>
          <Legend />
        </Popover>
      </span>
    </div>
  );
}

/** The first letter of a choice's value: `f` for a folder, `s` for a skill with its closure. */
const [FOLDER, SKILL] = ['f', 's'];

function PartSelect({ page, graph, folders, model, actions }: ToolbarProps) {
  const whole = model.workspace ?? { graph, folders };
  const skills = skillsToShow(whole.graph, [page.scope, model.active]);
  const choices: readonly SelectOption[] = [
    { value: FOLDER + WORKSPACE, label: t('Workspace') },
    ...whole.folders.all.map((folder) => ({
      value: FOLDER + folder,
      label: whole.folders.nameOf(folder),
      group: t('Folders'),
    })),
    ...skills.map(({ id, name }) => ({ value: SKILL + id, label: name, group: t('A skill and the skills it uses') })),
  ];
  return (
    <Select
      label={t('Show')}
      value={page.scope === null ? FOLDER + (page.folder ?? WORKSPACE) : SKILL + page.scope}
      choices={choices}
      onChange={(value) => {
        const id = value.slice(1);
        actions.open(value.startsWith(SKILL) ? initialPosition(id, page.folder) : initialPosition(null, id));
      }}
    />
  );
}

/** Returns the skills that can be chosen: all composites, and those in `always`. */
function skillsToShow({ nodes, edges }: ViewProps['graph'], always: readonly (string | null | undefined)[]) {
  const composers = new Set<string | null | undefined>([...edges.map(({ from }) => from), ...always]);
  return nodes
    .filter(({ id, kind }) => kind === 'skill' && composers.has(id))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function Search({ page, hits, step, actions }: ToolbarProps) {
  const at = hits.findIndex(({ id }) => id === page.selected) + 1;
  const count = hits.length === 0 ? t('No results') : t('{0} of {1}', at || '–', hits.length);
  return (
    <search class="search">
      <input
        id="search"
        class="input"
        type="text"
        aria-label={t('Search skills')}
        placeholder={t('Search')}
        spellcheck={false}
        value={page.search}
        onInput={({ currentTarget }) => actions.setPage({ search: currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape' && page.search !== '') actions.setPage({ search: '' });
          else return;
          event.preventDefault();
        }}
      />
      <span class="find-count quiet" role="status">
        {page.search.trim() === '' ? '' : count}
      </span>
    </search>
  );
}

interface ToggleProps {
  readonly title: string;
  readonly pressed: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: string;
}

const Toggle = ({ title, pressed, disabled = false, onClick, children }: ToggleProps) => (
  <button
    type="button"
    class="button toggle"
    title={title}
    aria-pressed={pressed}
    aria-disabled={disabled || undefined}
    onClick={disabled ? undefined : onClick}
  >
    {children}
  </button>
);

// The legend of the shapes and colours.

const box = <rect class="outline" width="40" height="20" rx="4" />;

const Legend = () => (
  <div class="legend">
    {[3, 2, 1].map((level) => (
      <LegendEntry key={level} class={`skill level-${level}`} meaning={levelTitle(level)}>
        {box}
      </LegendEntry>
    ))}
    <LegendEntry class="group" meaning={t('Several skills; click to open them')}>
      <rect class="outline" x="4" y="4" width="40" height="20" rx="4" />
      {box}
    </LegendEntry>
    <LegendEntry class="outside" meaning={t('In another folder')}>
      {box}
    </LegendEntry>
    <LegendEntry class="unknown" meaning={t('Unknown skill')}>
      {box}
    </LegendEntry>
    <LegendEntry class="wrong" meaning={t('Has errors')}>
      {box}
    </LegendEntry>
    <LegendEntry class="" meaning={t('Composes, from top to bottom')}>
      <path class="edge" d="M0 10H40" marker-end={`url(#${ARROW})`} />
    </LegendEntry>
    <LegendEntry class="" meaning={t('Mentions the other skill, or has it as an adapter')}>
      <path class="edge mention" d="M0 10H40" marker-end={`url(#${ARROW})`} />
    </LegendEntry>
    <LegendEntry class="accented" meaning={t('On the slowest path through its composite')}>
      <path class="edge critical" d="M0 10H40" marker-end={`url(#${ARROW})`} />
    </LegendEntry>
  </div>
);
