import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { MatchFilter, StatusChoice } from "./match-list.ts";
import "./match-filters.css";

const STATUSES: readonly { readonly value: StatusChoice; readonly text: string }[] = [
  { value: "", text: "All Statuses" },
  { value: "pending", text: "Pending" },
  { value: "active", text: "Active" },
  { value: "completed", text: "Completed" },
];

interface MatchFiltersProps {
  readonly filter: MatchFilter;
  readonly onChange: (filter: MatchFilter) => void;
}

export function MatchFilters({ filter, onChange }: MatchFiltersProps) {
  return (
    <search className="match-filters">
      <TextField
        label="Search"
        labelHidden
        icon="search"
        type="search"
        placeholder="Search by player, game mode..."
        maxLength={60}
        autoComplete="off"
        value={filter.search}
        onChange={(event) => onChange({ ...filter, search: event.target.value })}
      />
      <SelectField
        label="Status"
        labelHidden
        options={STATUSES}
        value={filter.status}
        onChange={(status) => onChange({ ...filter, status })}
      />
    </search>
  );
}
