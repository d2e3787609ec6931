/** The line of the input: which sample, and its values as chips, each edited in place. */
import { Button, Link, Popover, Select, type Choice as SelectChoice } from '../../../kit/controls.tsx';
import { t } from '../../../kit/l10n.ts';
import { samplesOf, type ViewProps } from '../model.ts';
import { inputErrors } from '../problems.ts';
import { plain } from '../state.ts';
import { FieldRow } from './field.tsx';
import { askFor, askWith, type Choice, choiceOf, givenIn, partAt, withPart } from './question.ts';
import { brief, fieldOf, type Json, type Member } from './schema.ts';
import { keepable } from './sheet.tsx';

export function Input({ model, actions }: ViewProps) {
  const { sheetOpen, asked } = model.page;
  const invocation = model.show?.reply.invocation;
  const isMadeUp = asked.sample === undefined && asked.invocation === undefined;
  const hasParameters = Object.keys(invocation?.parameters ?? {}).length > 0;
  return (
    <div class="input-line">
      <InputSelect model={model} actions={actions} />
      <div class="chips">
        <Chips model={model} actions={actions} />
      </div>
      {isMadeUp && hasParameters && invocation && (
        <Button
          title={t('Writes these values into the skill as a sample, to change them there')}
          onClick={() => actions.post({ type: 'saveSample', name: '', invocation: keepable(invocation) })}
        >
          {t('Keep as a sample')}
        </Button>
      )}
      <button
        type="button"
        id="edit-input"
        class="link edit"
        aria-expanded={sheetOpen ? 'true' : 'false'}
        onClick={() => actions.setPage({ sheetOpen: !sheetOpen })}
      >
        {t('Edit…')}
      </button>
    </div>
  );
}

function InputSelect({ model, actions }: ViewProps) {
  const samples = samplesOf(model);
  const chosen = choiceOf(model);
  const entries: (SelectChoice & { readonly choice: Choice })[] = [
    ...(samples?.samples ?? []).map(({ name }) => ({
      value: `sample ${name}`,
      label: name,
      group: t('Samples'),
      choice: { kind: 'sample' as const, name },
    })),
    ...(samples?.examples ?? []).map(({ name }) => ({
      value: `example ${name}`,
      label: name,
      group: t('Examples'),
      choice: { kind: 'example' as const, name },
    })),
    {
      value: 'made-up',
      label: membersOf(model).length === 0 ? t('No input') : t('Made-up values'),
      choice: { kind: 'made-up' },
    },
    { value: 'own', label: ownLabel(chosen), choice: { kind: 'own', origin: undefined } },
  ];
  const value = 'name' in chosen ? `${chosen.kind} ${chosen.name}` : chosen.kind;
  const pick = (picked: string): void => {
    const choice = entries.find((entry) => entry.value === picked)?.choice;
    if (!choice) return;
    // One's own input begins with what is shown.
    const shown = model.show?.reply.invocation;
    actions.ask(askFor(choice, samples, shown ? keepable(shown) : {}, model.page.asked));
    if (choice.kind === 'own') actions.edit();
  };
  return <Select label={t('Input')} value={value} choices={entries} onChange={pick} />;
}

/** The inputs that the skill names. */
function membersOf(model: ViewProps['model']): readonly Member[] {
  const { schema } = samplesOf(model) ?? {};
  const field = schema === undefined ? undefined : fieldOf(schema);
  return field?.kind === 'object' ? field.members : [];
}

const ownLabel = (choice: Choice): string =>
  choice.kind === 'own' && choice.origin !== undefined ? t('{0} (edited)', choice.origin) : t('Own input');

function Chips({ model, actions }: ViewProps) {
  const { reply } = model.show ?? {};
  const { request, parameters, profile, channel, source } = reply?.invocation ?? {};
  const given = givenIn(model);
  const members = membersOf(model);
  const errors = new Map(inputErrors(model).map(({ subject, message }) => [subject, message]));
  const openSheet = (): void => actions.edit();
  const others = [
    [t('request'), request],
    [t('profile'), profile],
    [t('channel'), channel],
    [t('source'), source === 'explicit' ? undefined : source],
  ] as const;
  return (
    <>
      {Object.entries(parameters ?? {}).map(([name, value]) => {
        const member = members.find((one) => one.name === name) ?? {
          name,
          required: false,
          field: fieldOf({}),
        };
        const error = [...errors].find(([path]) => path === name || path.startsWith(`${name}.`))?.[1];
        const isMadeUp = reply?.madeUp.includes(name) === true;
        return (
          <Popover
            key={name}
            class={`face chip ${isMadeUp ? 'made-up' : ''} ${error === undefined ? '' : 'refused'}`}
            label={error === undefined ? name : plain(error)}
            face={
              <>
                <span class="quiet">{name}</span> {value === '' ? t('empty') : brief(value as Json, 24)}
              </>
            }
          >
            <FieldRow
              member={member}
              value={partAt(given.parameters as Json | undefined, [name])}
              standIn={value as Json}
              change={(next) => {
                const changed = withPart(given.parameters as Json | undefined, [name], next);
                actions.ask(askWith(model.page.asked, { ...given, parameters: changed as Record<string, Json> }));
              }}
              errors={errors}
              path={name}
            />
          </Popover>
        );
      })}
      {others.map(([name, value]) =>
        value === undefined || value === '' ? null : (
          <button key={name} type="button" class="chip" onClick={openSheet}>
            <span class="quiet">{name}</span> {brief(value, 44)}
          </button>
        ),
      )}
      {Object.keys(parameters ?? {}).length === 0 && request === '' && members.length > 0 && (
        <span class="quiet">
          <Link onClick={openSheet}>{t('no values')}</Link>
        </span>
      )}
    </>
  );
}
