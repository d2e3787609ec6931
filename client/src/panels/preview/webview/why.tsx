/** The tab of reasons: what was taken and what was left out, grouped by skill, and what the planner would say. */
import { Link, WithCode } from '../../kit/controls.tsx';
import { t } from '../../kit/l10n.ts';
import type { ShownDecision, ShownGate } from '../messages.ts';
import { type Actions, decisionsOf, fileName, gatesOf, recordOf, type ViewProps } from './model.ts';

const subjects: Readonly<Record<ShownDecision['subject'], string>> = {
  artifact: t('artifact'),
  prose: t('prose'),
  tool: t('tool'),
  approach: t('approach'),
  skill: t('skill'),
  interrupt: t('interrupt'),
};

export function Why({ model, actions }: ViewProps) {
  const decisions = decisionsOf(model);
  const files = [...new Set(decisions.map(({ uri }) => uri))];
  const gates = gatesOf(model);
  const record = recordOf(model);
  return (
    <div class="why">
      {gates.length > 0 && <Gates gates={gates} actions={actions} />}
      {model.show?.reply.toolsKnown === false && (
        <p class="remark">{t('No catalog says which tools there are: every declared tool counts as available.')}</p>
      )}
      {files.map((uri) => (
        <Decisions
          key={uri}
          title={files.length > 1 ? titleOf(uri) : undefined}
          rows={decisions.filter((one) => one.uri === uri)}
          actions={actions}
        />
      ))}
      {decisions.length === 0 && (
        <p class="quiet">{t('There was nothing to choose: the skill names no artifacts and no tools.')}</p>
      )}
      {record !== undefined && (
        <details class="record">
          <summary>{t('Invocation record')}</summary>
          <pre>{JSON.stringify(record, undefined, 2)}</pre>
        </details>
      )}
    </div>
  );
}

/** The folder of a `SKILL.md` tells it from others. */
const titleOf = (uri: string): string =>
  fileName(uri) === 'SKILL.md' ? `${fileName(uri.replace(/\/[^/]*$/, ''))}/SKILL.md` : fileName(uri);

interface DecisionsProps {
  readonly title: string | undefined;
  readonly rows: readonly ShownDecision[];
  readonly actions: Actions;
}

/** What was left out stands first: that is what people look for. */
function Decisions({ title, rows, actions }: DecisionsProps) {
  const groups = [
    { name: t('Left out'), of: rows.filter(({ taken }) => !taken) },
    { name: t('Taken'), of: rows.filter(({ taken }) => taken) },
  ];
  return (
    <section>
      {title !== undefined && <h2>{title}</h2>}
      {groups.map(
        ({ name, of }) =>
          of.length > 0 && (
            <div key={name} class="reasons">
              <h3>
                {name} <span class="quiet">{of.length}</span>
              </h3>
              <ul>
                {of.map((one, at) => (
                  <li key={at}>
                    <Link title={t('Go to the source')} onClick={() => actions.reveal(one, true)}>
                      {one.name}
                    </Link>{' '}
                    <span class="quiet">{subjects[one.subject]}</span>
                    <div class="reason">
                      <WithCode text={one.reason} />
                    </div>
                  </li>
                ))}
              </ul>
            </div>
          ),
      )}
    </section>
  );
}

/** What stands against the planner's offering the skill. */
const Gates = ({ gates, actions }: { readonly gates: readonly ShownGate[]; readonly actions: Actions }) => (
  <section>
    <h2>{t('Allowed here?')}</h2>
    <ul class="gates">
      {gates.map((gate, at) => (
        <li key={at}>
          {t('No, because')}{' '}
          <Link title={t('Go to the place')} onClick={() => actions.reveal(gate, true)}>
            <WithCode text={gate.reason} />
          </Link>
          <Remedy gate={gate} actions={actions} />
        </li>
      ))}
    </ul>
  </section>
);

/** What would open a gate: another caller, or another place to ask from. What the catalog says is changed there. */
function Remedy({ gate: place, actions }: { readonly gate: ShownGate; readonly actions: Actions }) {
  const { gate } = place;
  if (gate === 'deprecation') return null;
  if (gate === 'disabled') {
    return (
      <>
        {' · '}
        <Link onClick={() => actions.reveal(place, true)}>{t('Change it in the catalog')}</Link>
      </>
    );
  }
  const isPlace = gate === 'context' || gate === 'permission';
  return (
    <>
      {' · '}
      <Link onClick={() => actions.edit(isPlace ? 'source' : 'profile')}>
        {isPlace ? t('Ask from elsewhere') : t('Choose another profile')}
      </Link>
    </>
  );
}
