# The firewall's table, written as a module: both must give the same answers.
package defenseclaw.firewall

default blocked := false

blocked if {
	some row in data.firewall.blocked_destinations
	input.destination == row
}

blocked if {
	some row in data.firewall.blocked_destinations
	endswith(input.destination, concat("", [".", row]))
}

default listed := false

listed if input.destination in data.firewall.allowed_domains

default open := false

open if input.port in data.firewall.allowed_ports

action := "deny" if blocked

else := "allow" if {
	listed
	open
}

else := "deny" if listed

else := data.firewall.default_action

rule_name := "block-explicit" if blocked

else := "domain-allowlist" if {
	listed
	open
}

else := "port-restricted" if listed

else := "default-policy"
