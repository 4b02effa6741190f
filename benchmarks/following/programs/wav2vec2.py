import torch
from torch import nn
from transformers import Wav2Vec2Config, Wav2Vec2Model


class Speech(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Wav2Vec2Model(
            Wav2Vec2Config(
                hidden_size=32,
                num_hidden_layers=2,
                num_attention_heads=2,
                intermediate_size=37,
                conv_dim=(32, 32),
                conv_stride=(4, 4),
                conv_kernel=(8, 8),
                num_conv_pos_embeddings=16,
                num_conv_pos_embedding_groups=2,
                mask_time_length=2,
                mask_time_prob=0.5,
            )
        )
        self.out = nn.Linear(32, 4)

    def forward(self, wave):
        hidden = self.encoder(wave).last_hidden_state
        return self.out(hidden.mean(1))


if __name__ == "__main__":
    model = torch.compile(Speech(), backend="eager")
    model.train()
    model(torch.randn(2, 1024))
    model.eval()
    model(torch.randn(2, 1024))
