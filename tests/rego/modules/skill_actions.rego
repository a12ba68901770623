# The severity table, written as a module.
package defenseclaw.skill_actions

severity := "INFO" if input.severity == "NONE"

else := input.severity

row := data.scanner_overrides[input.target_type][severity] if {
	data.scanner_overrides[input.target_type][severity]
}

else := data.actions[severity]

runtime_action := row.runtime

file_action := row.file

install_action := row.install

should_block := row.runtime == "block"

should_quarantine := row.file == "quarantine"

should_block_install := row.install == "block"
